"""China: Nationalists (78), Communists (79), and where either may go and attack (80)."""
