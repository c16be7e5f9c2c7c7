# region verify
import hashlib
import hmac
import json
import re


def is_genuine(secret, headers, body, now_seconds):
    """Whether a delivery is genuine. `body` is the raw body as bytes; `now_seconds` is the clock of the receiver."""
    event_id = headers.get("x-service-event-id", "")
    timestamp = headers.get("x-service-timestamp", "")
    if not re.fullmatch(r"[1-9][0-9]{0,15}", timestamp):
        return False
    if abs(now_seconds - int(timestamp)) > 300:
        return False
    signed = f"{event_id}.{timestamp}.".encode() + body
    expected = b"v1=" + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest().encode()
    # While a secret is being rotated there are two signatures, separated by a comma.
    given = headers.get("x-service-signature", "").split(",")[:4]
    if not any([hmac.compare_digest(one.encode(), expected) for one in given]):
        return False
    try:
        event = json.loads(body)
    except ValueError:
        return False
    return isinstance(event, dict) and event.get("id") == event_id
# endregion verify


if __name__ == "__main__":
    import base64
    import sys

    for line in sys.stdin:
        case = json.loads(line)
        print(is_genuine(case["secret"], case["headers"], base64.b64decode(case["body"]), case["now"]), flush=True)
