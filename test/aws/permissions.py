"""Asks AWS's reference of IAM what cfn-lint does not know about statements of policies.

It reads a list of them from standard input, and prints a JSON list of what is wrong.
"""
import json
import sys

from policy_sentry.querying.actions import get_action_data

# AWS's refusals name certificate/*, where the reference has no resource type.
REFUSED_BY_ARN = {"acm:RequestCertificate"}


def wrong(action, resources, conditions):
    """What the reference says against an action on these resources and conditions."""
    rows = get_action_data(*action.split(":")).get(action.split(":")[0], [])
    if not rows:
        yield f"there is no action {action}"
    if not {each["resource_arn_format"] for each in rows} - {"*"} and "*" not in resources:
        yield f"{action} has no resource type, so it needs *"
    known = [key.split("${")[0] for each in rows for key in each["condition_keys"]]
    for key in (key for each in conditions.values() for key in each if not key.startswith("aws:")):
        if not any(key.startswith(each) for each in known):
            yield f"{action} has no condition {key}"


found = {problem for each in json.load(sys.stdin) for action in each["Action"] if "*" not in action
         and action not in REFUSED_BY_ARN
         for problem in wrong(action, each["Resource"], each.get("Condition", {}))}
print(json.dumps(sorted(found)))
