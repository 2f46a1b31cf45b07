"""The user's actions, one module each; front ends call these functions and no layer below."""
