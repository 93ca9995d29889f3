"""Files of other programs: tours, move graphs of boards, and tour problems, there and back."""
