"""SmartBot: hints point at plays or warn, silence clears the chop, everybody keeps one table."""
