"""Stands for litellm's tokenizers. Of those it reads and writes anew 1.8 MB of JSON when it is imported, in calls that
hold up all other threads, for a count of tokens that is turned off.
"""
