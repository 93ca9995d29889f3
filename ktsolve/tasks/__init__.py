"""What people ask for, a file for each subject. ``__all__`` of a file has what programs use."""
