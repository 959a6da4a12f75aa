"""The two small agents that come with HLE, for programs that import them."""
