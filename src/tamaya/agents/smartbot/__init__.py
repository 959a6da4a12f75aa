"""SmartBot: hints point at plays or warn, silence clears the chop, all share one public table."""
