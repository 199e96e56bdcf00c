"""Nationalist and Communist China, and where war may be made there: chapters 78 to 80."""
