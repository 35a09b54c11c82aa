"""Sessions over a real model server: llama.cpp's, with a model of 135 million parameters, both from wheels.

What such a model writes makes no sense, so nothing here looks at plans: every session has to end, for a true reason
and with a remedy that helps, without a traceback.
"""
