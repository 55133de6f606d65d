"""The calendar: reinforcements, convoys, armies and politics that come on their day. Rules: G.CA1, G.CA2, G.CA4, G.CA5."""
