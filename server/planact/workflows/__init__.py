"""The trips a user takes, one file each; front ends call these and nothing below."""
