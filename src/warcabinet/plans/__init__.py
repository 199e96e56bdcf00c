"""War plans: orders and preferences for years ahead, played through the engine in many futures."""
