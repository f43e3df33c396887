"""Readers of agents' logs, one file each, registered by `@agent_log`."""
