"""The British Commonwealth, Gibraltar and the Asian colonies: chapters 70 to 74."""
