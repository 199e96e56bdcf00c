"""Aid in one place: roads, who may grant to whom, a plan and what it comes to, a convoy under way (chapter 40)."""
