"""Compares policies with AWS's service authorization reference, and has parliament judge them.

It reads {name: [statement]} from standard input, and prints a JSON list of what is wrong.
"""
import functools
import json
import re
import sys

import parliament
from policy_sentry.querying.actions import get_action_data

problems = []

# What parliament finds and is meant, each with the reason.
MEANT = {
    "MISMATCHED_TYPE_BUT_USABLE": "an ARN is compared as a text, so that it has no wildcards",
    "RESOURCE_MISMATCH": "check() asks newer data; a service's * has actions without an ARN",
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


def plain(statement):
    """parliament can't read a list of one value."""
    conditions = {
        test: {key: value[0] if len(value) == 1 else value for key, value in of.items()}
        for test, of in statement.get("Condition", {}).items()
    }
    return {**statement, "Condition": conditions} if conditions else statement


def check(name, statement):
    resources = statement["Resource"]
    for action in statement["Action"]:
        if "*" in action:
            continue
        rows = described(action)
        if not rows:
            problems.append(f"{name}: the reference has no action {action}")
            continue
        formats = [re.sub(r"\$\{Partition\}", "aws", row["resource_arn_format"]) for row in rows]
        arns = [re.sub(r"\$\{[^}]*\}", "*", each) for each in formats if each != "*"]
        if "*" in resources:
            continue
        if not arns and action not in REFUSED_BY_ARN:
            problems.append(f"{name}: {action} has no resource type, so it needs *")
        elif arns and not any(meet(arn, each) for arn in arns for each in resources):
            problems.append(f"{name}: {action} is about {' or '.join(arns)}, not {resources}")


for name, statements in json.load(sys.stdin).items():
    for statement in statements:
        check(name, statement)
    document = json.dumps({"Version": "2012-10-17", "Statement": [*map(plain, statements)]})
    try:
        findings = parliament.analyze_policy_string(document).findings
    except Exception as error:
        problems.append(f"{name}: parliament ends with {error!r}")
        continue
    for finding in map(parliament.enhance_finding, findings):
        if finding.issue not in MEANT:
            problems.append(f"{name}: {finding.issue} {finding.detail}")
print(json.dumps(problems))
