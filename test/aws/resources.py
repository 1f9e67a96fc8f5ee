"""Holds what a stage consists of against AWS's own models of its APIs (botocore).

It reads what sst.config.ts makes from standard input. It prints the values that an API refuses by
an enum, a pattern or a limit, and the actions that making the resources takes. Names, types and
what is required are in the types of @pulumi/aws, which `npm run check` asks.
"""
import functools
import json
import re
import sys

import botocore.session

# The calls that make a resource, where they are not Create, Put or Add with the name of its type.
CALLS = {
    "acm/certificate": "acm RequestCertificate",
    "cloudwatch/contributorInsightRule": "cloudwatch PutInsightRule",
    "cloudwatch/eventRule": "events PutRule",
    "cloudwatch/eventTarget": "events PutTargets",
    "cloudwatch/logDelivery": "logs CreateDelivery",
    "cloudwatch/logDeliveryDestination": "logs PutDeliveryDestination",
    "cloudwatch/logDeliverySource": "logs PutDeliverySource",
    "cloudwatch/logGroup": "logs CreateLogGroup PutRetentionPolicy",
    "cloudwatch/logMetricFilter": "logs PutMetricFilter",
    "cloudwatch/logSubscriptionFilter": "logs PutSubscriptionFilter",
    "cloudwatch/queryDefinition": "logs PutQueryDefinition",
    "dynamodb/contributorInsights": "dynamodb UpdateContributorInsights",
    "dynamodb/table": "dynamodb CreateTable UpdateTimeToLive UpdateContinuousBackups",
    "iam/role": "iam CreateRole PutRolePolicy",
    "lambda/function": "lambda CreateFunction PutFunctionConcurrency",
    "sns/topicPolicy": "sns SetTopicAttributes",
    "sns/topicSubscription": "sns Subscribe",
    "sqs/queuePolicy": "sqs SetQueueAttributes",
    "sqs/redriveAllowPolicy": "sqs SetQueueAttributes",
    "wafv2/webAclLoggingConfiguration": "wafv2 PutLoggingConfiguration",
}
# Parameters with another name than the input.
RENAMED = {
    "attributes": "AttributeDefinitions", "fqdn": "FullyQualifiedDomainName",
    "function": "FunctionName", "hashKey": "AttributeName", "logGroup": "LogGroupName",
    "metric": "MetricStat", "metricQueries": "Metrics", "originId": "Id", "topic": "TopicArn",
    "notifications": "NotificationsWithSubscribers", "orderedCacheBehaviors": "CacheBehaviors",
    "pointInTimeRecovery": "PointInTimeRecoverySpecification", "rangeKey": "AttributeName",
    "subscriberEmailAddresses": "Address", "subscriberSnsTopicArns": "Address",
    "ttl": "TimeToLiveSpecification",
}
# What Pulumi reads itself or sends by other calls. cfn-lint judges the policies.
UNSENT = {"assumeRolePolicy", "inlinePolicies", "managedPolicyArns", "policy", "publish",
          "routeKey", "streamEnabled", "tags", "waitForDeployment"}
OF_SST = {"acm/certificateValidation", "route53/record", "s3/bucketObjectv2"}

problems, actions = [], set()


def plain(name):
    return name.replace("_", "").lower().removesuffix("s")


def within(shape):
    """The members of a structure, or of those in a list or map."""
    inner = getattr(shape, "member", None) or getattr(shape, "value", None)
    return within(inner) if inner else getattr(shape, "members", {})


@functools.cache
def parameters(shape, depth=4):
    """The parameters in a shape with their paths, the nearest first."""
    found = [((name,), each) for name, each in within(shape).items()]
    inner = [((outer, *path), each) for (outer,), of in found if depth
             for path, each in parameters(of, depth - 1)]
    return sorted(found + inner, key=lambda each: len(each[0]))


def parameter(shape, key):
    """The nearest with this name, or whose path ends with it: limitAmount is BudgetLimit.Amount."""
    names = [plain(RENAMED.get(key, key)), plain(key)]
    found = [(len(path), plain(path[-1]) not in names, n)
             for n, (path, _) in enumerate(parameters(shape))
             if plain(path[-1]) in names or plain("".join(path)).endswith(names[0])]
    return parameters(shape)[min(found)[2]][1] if found else None


def check(shape, value, path):
    """Notes what the API refuses of a value."""
    kind, members = shape.type_name, getattr(shape, "members", {})
    if isinstance(value, dict) and kind in ("string", "blob"):
        value = json.dumps(value)
    if isinstance(value, dict):
        named = {*within(shape)} == {"Name", "Value"}
        for key, each in value.items():
            found = within(shape)["Value"] if named else getattr(shape, "value", None)
            found = found or parameter(shape, key)
            if found:
                check(found, each, f"{path}.{key}")
            elif key not in UNSENT and "Attributes" not in members:
                problems.append(f"{path}: no API knows {key}")
    elif isinstance(value, list) and value:
        judge(shape, value, path)
        inner = members.get("Items") or getattr(shape, "value", None) or shape
        for each in value:
            if kind == "map" and "key" in each:  # Pulumi writes a map as a list of these.
                check(shape.key, each["key"], f"{path}.key")
                each = {name: of for name, of in each.items() if name != "key"}
            check(getattr(inner, "member", inner), each, path)
    elif value not in (None, "", []):
        judge(shape, value, path)


def judge(shape, value, path):
    limits, size = shape.metadata, value if isinstance(value, (int, float)) else len(value)
    if not limits.get("min", size) <= size <= limits.get("max", size):
        problems.append(f"{path}: {value!r} is not {limits.get('min')} to {limits.get('max')}")
    # Some enums are only in the description.
    told = re.search(r"<p>Valid Values: <code>(\w+( \| \w+)+)</code>", shape.documentation)
    enum = getattr(shape, "enum", None) or (told and told[1].split(" | "))
    if enum and isinstance(value, str) and value not in enum:
        problems.append(f"{path}: {value!r} is none of {', '.join(enum)}")
    if "pattern" in limits and not fits(limits["pattern"], str(value)):
        problems.append(f"{path}: {value!r} does not match {limits['pattern']}")


def fits(pattern, value):
    """Patterns are Java's. Those that Python can't read are left out."""
    try:
        return re.search(pattern.replace(r"\p{Print}", r"[\x20-\x7e]"), value) is not None
    except re.error:
        return True


@functools.cache
def calls(kind):
    """The calls that make a resource of a type, as one shape of all that they take."""
    service, name = kind.split("/")
    service, *names = CALLS.get(kind, service).split()
    model = botocore.session.get_session().get_service_model(service)
    wanted = {each.lower() for each in names or [verb + name for verb in ("Create", "Put", "Add")]}
    return [model.operation_model(each) for each in model.operation_names if each.lower() in wanted]


def action_of(model):
    """What IAM calls an operation."""
    service = model.service_model.service_name
    if service == "apigatewayv2":
        return f"apigateway:{model.http['method']}"
    return "budgets:ModifyBudget" if service == "budgets" else f"{service}:{model.name}"


for resource in json.load(sys.stdin)["resources"]:
    kind = resource["type"].split(":")[1]
    if resource["type"].startswith("aws:") and kind not in OF_SST:
        for key, value in resource["inputs"].items():
            shapes = [each.input_shape for each in calls(kind)]
            known = [each for each in shapes if parameter(each, key)]
            check(known[0] if known else shapes[0], {key: value}, resource["name"])
        actions.update(map(action_of, calls(kind)))
print(json.dumps({"actions": sorted(actions), "problems": problems}))
