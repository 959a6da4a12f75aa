from tamaya.encoding import *  # noqa: F403
from tamaya.encoding import encode_hle, hle_length  # noqa: F401
