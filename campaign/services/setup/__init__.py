"""A campaign begins: theatre, sides, invitations, convoys, the demo."""
