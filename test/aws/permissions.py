"""Compares policies with AWS's service authorization reference, and has parliament judge them.

Started by itself, it reads {name: [statement]} from standard input, and prints a JSON list.
"""
import functools
import json
import re
import sys

import parliament
from policy_sentry.querying.actions import get_action_data

# What parliament finds and is meant, each with the reason.
MEANT = {
    "MISMATCHED_TYPE_BUT_USABLE": "an ARN is compared as a text, so that it has no wildcards",
    "RESOURCE_MISMATCH": "mismatched() asks newer data; a service's * has actions without an ARN",
    "RESOURCE_POLICY_PRIVILEGE_ESCALATION": "SST makes the bucket of its state, policy included",
    "RESOURCE_STAR": "PutCompositeAlarm and CreateDistribution take no ARN while there is none",
}
# AWS's refusals name certificate/*, where the reference has no resource type.
REFUSED_BY_ARN = {"acm:RequestCertificate"}


def described(action):
    """The rows of the reference about an action."""
    service, name = action.split(":")
    try:
        return (get_action_data(service, name) or {}).get(service) or []
    except Exception:
        return []


@functools.cache
def meet(one, other):
    """Whether an ARN can match both patterns."""
    if not one or not other:
        return not (one + other).strip("*")
    if one[0] == "*":
        return meet(one[1:], other) or meet(one, other[1:])
    if other[0] == "*":
        return meet(other, one)
    return one[0] == other[0] and meet(one[1:], other[1:])


def unlisted(values):
    """parliament can't read a list of one value."""
    return values[0] if isinstance(values, list) and len(values) == 1 else values


def readable(statement):
    conditions = {test: {key: unlisted(values) for key, values in of.items()}
                  for test, of in statement.get("Condition", {}).items()}
    return {**statement, **({"Condition": conditions} if conditions else {})}


def mismatched(action, resources):
    """What the reference says against an action on these resources."""
    rows = described(action)
    if not rows:
        return f"the reference has no action {action}"
    formats = [row["resource_arn_format"].replace("${Partition}", "aws") for row in rows]
    arns = [re.sub(r"\$\{[^}]*\}", "*", each) for each in formats if each != "*"]
    if "*" in resources or action in REFUSED_BY_ARN:
        return None
    if not arns:
        return f"{action} has no resource type, so it needs *"
    if not any(meet(arn, each) for arn in arns for each in resources):
        return f"{action} is about {' or '.join(arns)}, not {resources}"


def listed(value):
    return value if isinstance(value, list) else [value]


def judged(name, statements):
    """What is wrong with the statements of a policy."""
    found = [mismatched(action, listed(statement["Resource"]))
             for statement in statements for action in listed(statement["Action"])
             if "*" not in action]
    document = {"Version": "2012-10-17", "Statement": [*map(readable, statements)]}
    try:
        findings = parliament.analyze_policy_string(json.dumps(document)).findings
        for each in map(parliament.enhance_finding, findings):
            found.append(None if each.issue in MEANT else f"{each.issue} {each.detail}")
    except Exception as error:
        found.append(f"parliament ends with {error!r}")
    return [f"{name}: {each}" for each in found if each]


if __name__ == "__main__":
    given = json.load(sys.stdin)
    print(json.dumps([each for name in given for each in judged(name, given[name])]))
