"""Divide and conquer: tours of any size from base boards, in time linear in the cells."""
