"""How much better each rollout of a group is than the others, as pure functions over lists: GRPO and GTPO."""
