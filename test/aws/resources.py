"""Creates the resources of a stage over AWS's own service models (botocore), against moto.

It reads what sst.config.ts makes of a stage from standard input, and prints a JSON list of what is
wrong. botocore itself checks names, types and what is required; check() adds enums, patterns and
limits.
"""
import functools
import io
import json
import re
import sys
import zipfile

import boto3
from botocore.exceptions import ParamValidationError

from permissions import judged

ACCOUNT = "123456789012"
problems, actions, ids = [], set(), {}

# moto has no such call. The service's model has checked it all the same.
UNKNOWN_TO_MOTO = {
    "cloudfront.create_cache_policy",
    "cloudfront.create_function",
    "cloudwatch.put_composite_alarm",
    "dynamodb.update_contributor_insights",
    "lambda.put_provisioned_concurrency_config",
    "logs.put_query_definition",
    "logs.put_subscription_filter",
}

# What Pulumi itself reads, and sends to no API.
OF_PULUMI = {"tags", "allowOverwrite", "waitForDeployment", "packageType", "s3Bucket", "s3Key"}


def plain(key):
    return key.replace("_", "").lower()


def text(value):
    return value if isinstance(value, str) else json.dumps(value)


def shaped(shape, value, path):
    """The value as an API takes it: its members are found by name, whatever their capitals."""
    kind = shape.type_name
    if kind == "structure":
        return structure(shape, value, path)
    if kind == "list":
        if isinstance(value, dict) and {*map(plain, members(shape.member))} == {"name", "value"}:
            value = [{"name": key, "value": each} for key, each in value.items()]
        each = value if isinstance(value, list) else [value]
        value = [shaped(shape.member, one, f"{path}[{n}]") for n, one in enumerate(each)]
    elif kind == "map":
        value = {shaped(shape.key, key, path): shaped(shape.value, each, f"{path}.{key}")
                 for key, each in value.items()}
    elif kind == "blob":
        value = value if isinstance(value, bytes) else text(value).encode()
    elif kind in ("double", "float"):
        value = float(value)
    elif kind == "string":
        value = text(value)
    check(shape, value, path)
    return value


def members(shape):
    return getattr(shape, "members", {})


def structure(shape, value, path):
    names = {plain(name): name for name in shape.members}
    if "quantity" in names:
        value = {"items": value} if isinstance(value, list) else value
        value = {**value, "quantity": len(value["items"])} if "items" in value else value
    made = {}
    for key, each in value.items():
        name = names.get(plain(key))
        if name is None and key not in OF_PULUMI:
            problems.append(f"{path}: the API knows no {key}")
        elif name is not None and each not in (None, [], ""):
            made[name] = shaped(shape.members[name], each, f"{path}.{name}")
    return made


def check(shape, value, path):
    """What botocore itself leaves to the service: enums, patterns and limits."""
    limits = shape.metadata
    size = value if isinstance(value, (int, float)) else len(value)
    if not limits.get("min", size) <= size <= limits.get("max", size):
        wanted = f"{limits.get('min', '')}..{limits.get('max', '')}"
        problems.append(f"{path}: {value!r} is {size}, not {wanted}")
    if getattr(shape, "enum", None) and value not in shape.enum:
        problems.append(f"{path}: {value!r} is none of {', '.join(shape.enum)}")
    if "pattern" in limits and not fits(limits["pattern"], value):
        problems.append(f"{path}: {value!r} does not match {limits['pattern']}")


def fits(pattern, value):
    """Patterns are Java's. Those that Python can't read are left out."""
    try:
        return re.search(pattern.replace(r"\p{Print}", r"[\x20-\x7e]"), value) is not None
    except re.error:
        return True


@functools.cache
def client(service, region):
    return boto3.client(service, region)


def known(value):
    """The value with the ids that moto gave, in place of those of Pulumi's mocks."""
    if isinstance(value, dict):
        return {key: known(each) for key, each in value.items()}
    if isinstance(value, list):
        return [known(each) for each in value]
    for mocked, id in ids.items() if isinstance(value, str) else ():
        value = value.replace(mocked, id)
    return value


def call(where, given, name, region):
    service, operation = where.split(".")
    api = client(service, region)
    model = api.meta.service_model.operation_model(api.meta.method_to_api_mapping[operation])
    actions.add(action_of(service, model))
    path = f"{name}: {operation}"
    request = shaped(model.input_shape, known(given), path)
    try:
        answer = getattr(api, operation)(**request)
        ids.update({f"{name}Id": id for key, id in answer.items()
                    if re.fullmatch("(Api|Authorizer|Integration)Id|DomainName", key)})
    except Exception as error:
        if where not in UNKNOWN_TO_MOTO or isinstance(error, ParamValidationError):
            problems.append(f"{path}: {error}")


def action_of(service, model):
    """What IAM calls an operation."""
    if service == "apigatewayv2":
        return f"apigateway:{model.http['method']}"
    return "budgets:ModifyBudget" if service == "budgets" else f"{service}:{model.name}"


def keys(of):
    ranges = [{"attributeName": of["rangeKey"], "keyType": "RANGE"}] if of.get("rangeKey") else []
    return [{"attributeName": of["hashKey"], "keyType": "HASH"}, *ranges]


def renamed(given, **names):
    """The same with other names, and without those whose name is None."""
    made = {names.get(key, key): value for key, value in given.items()}
    return {key: value for key, value in made.items() if key is not None}


def document(policy):
    """AWS's own form of a policy, which Pulumi may have in another one."""
    statements = []
    for each in policy["statements"]:
        conditions = {}
        for condition in each.get("conditions") or []:
            found = conditions.setdefault(condition["test"], {})
            found[condition["variable"]] = condition["values"]
        made = {"Effect": (each.get("effect") or "Allow").capitalize(), "Condition": conditions}
        made = {**made, "Action": each["actions"], "Resource": each["resources"]}
        statements.append({key: value for key, value in made.items() if value})
    return {"Version": "2012-10-17", "Statement": statements}


def table(i, name):
    indexes = []
    for index in i["globalSecondaryIndexes"]:
        projection = {key: index[key] for key in index if key in PROJECTION}
        rest = {key: index[key] for key in index if key not in PROJECTION}
        rest = renamed(rest, hashKey=None, rangeKey=None, name="indexName")
        indexes.append({**rest, "keySchema": keys(index), "projection": projection})
    attributes = [renamed(x, name="attributeName", type="attributeType") for x in i["attributes"]]
    rest = renamed(i, name="tableName", hashKey=None, rangeKey=None, attributes=None, ttl=None,
                   streamEnabled=None, pointInTimeRecovery=None, serverSideEncryption=None)
    yield "dynamodb.create_table", {**rest, "keySchema": keys(i), "attributeDefinitions": attributes,
                                    "globalSecondaryIndexes": indexes}
    yield "dynamodb.update_time_to_live", {"tableName": i["name"], "timeToLiveSpecification": i["ttl"]}


def queue(i, name):
    names = {"visibilityTimeoutSeconds": "VisibilityTimeout", "maxMessageSize": "MaximumMessageSize",
             "messageRetentionSeconds": "MessageRetentionPeriod"}
    attributes = renamed(i, name=None, **names)
    attributes = {key[0].upper() + key[1:]: value for key, value in attributes.items()}
    yield "sqs.create_queue", {"queueName": i["name"], "attributes": attributes}


def role(i, name):
    yield "iam.create_role", {"roleName": i["name"], "permissionsBoundary": i["permissionsBoundary"],
                              "assumeRolePolicyDocument": i["assumeRolePolicy"]}
    for each in i["inlinePolicies"]:
        policy = document(each["policy"]) if "statements" in each["policy"] else each["policy"]
        if len(json.dumps(policy, separators=(",", ":"))) > 10_240:
            problems.append(f"{name}: IAM takes 10,240 characters of inline policies")
        problems.extend(judged(name, policy["Statement"]))
        yield "iam.put_role_policy", {"roleName": i["name"], "policyName": each["name"],
                                      "policyDocument": policy}


def alarm(i, name):
    queries = []
    for query in i.get("metricQueries") or []:
        metric = query.get("metric")
        if metric:
            of = renamed(metric, period=None, stat=None)
            stat = {"metric": of, "period": metric["period"], "stat": metric["stat"]}
            query = {**renamed(query, metric=None), "metricStat": stat}
        queries.append(query)
    if queries and sum(bool(query.get("returnData")) for query in queries) != 1:
        problems.append(f"{name}: exactly one query of an alarm returns data")
    rest = renamed(i, name="alarmName", metricQueries=None)
    yield "cloudwatch.put_metric_alarm", {**rest, "metrics": queries}


def function(i, name):
    variables = {key: text(value) for key, value in i["environment"]["variables"].items()}
    if sum(len(key) + len(value) for key, value in variables.items()) > 4096:
        problems.append(f"{name}: Lambda takes 4 KB of environment")
    # The model has the limit of ARNs.
    if len(i["name"]) > 64:
        problems.append(f"{name}: the name of a function has at most 64 characters")
    rest = renamed(i, name="functionName", reservedConcurrentExecutions=None)
    yield "lambda.create_function", {**rest, "code": {"zipFile": ZIP},
                                     "environment": {"variables": variables}}


def metric_filter(i, name):
    metric = renamed(i["metricTransformation"], name="metricName", namespace="metricNamespace",
                     value="metricValue")
    metric = {**metric, "defaultValue": float(metric["defaultValue"])}
    yield "logs.put_metric_filter", {**renamed(i, pattern="filterPattern", metricTransformation=None),
                                     "filterName": name, "metricTransformations": [metric]}


def target(i, name):
    rest = renamed(i, rule=None, eventBusName=None)
    yield "events.put_targets", {"targets": [{"id": name, **rest}],
                                 **{key: i[key] for key in ("rule", "eventBusName") if key in i}}


def budget(i, name):
    notified = []
    for each in i["notifications"]:
        emails = [("EMAIL", address) for address in each.get("subscriberEmailAddresses") or []]
        topics = [("SNS", address) for address in each.get("subscriberSnsTopicArns") or []]
        subscribers = [{"subscriptionType": kind, "address": at} for kind, at in emails + topics]
        rest = renamed(each, subscriberEmailAddresses=None, subscriberSnsTopicArns=None)
        notified.append({"notification": rest, "subscribers": subscribers})
    limit = {"amount": i["limitAmount"], "unit": i["limitUnit"]}
    rest = renamed(i, name="budgetName", limitAmount=None, limitUnit=None, notifications=None)
    yield "budgets.create_budget", {"accountId": ACCOUNT, "budget": {**rest, "budgetLimit": limit},
                                    "notificationsWithSubscribers": notified}


def stage(i, name):
    routes = {each["routeKey"]: renamed(each, routeKey=None) for each in i["routeSettings"]}
    yield "apigatewayv2.create_stage", {**renamed(i, name="stageName"), "routeSettings": routes}


def distribution(i, name):
    origins = [{**each, "id": each["originId"], "customHeaders": [
        renamed(header, name="headerName", value="headerValue") for header in each["customHeaders"]]}
        for each in i["origins"]]
    behaviors = [behavior(each) for each in i["orderedCacheBehaviors"]]
    config = renamed(i, orderedCacheBehaviors=None, defaultCacheBehavior=None, origins=None)
    restriction = {"geoRestriction": {**i["restrictions"]["geoRestriction"], "quantity": 0}}
    yield "cloudfront.create_distribution", {"distributionConfig": {
        **config, "callerReference": "x", "origins": [renamed(each, originId=None) for each in origins],
        "cacheBehaviors": behaviors, "defaultCacheBehavior": behavior(i["defaultCacheBehavior"]),
        "restrictions": restriction}}


def behavior(i):
    methods = {"items": i["allowedMethods"], "quantity": len(i["allowedMethods"]),
               "cachedMethods": i["cachedMethods"]}
    return {**renamed(i, cachedMethods=None), "allowedMethods": methods}


def one(operation, **names):
    """A resource that one call makes, with these names of its inputs."""
    return lambda i, name: [(operation, renamed(i, **names))]


# What the provider calls for a resource of each type.
KINDS = {
    "acm/certificate": one("acm.request_certificate"),
    "apigatewayv2/api": one("apigatewayv2.create_api"),
    "apigatewayv2/apiMapping": one("apigatewayv2.create_api_mapping"),
    "apigatewayv2/authorizer": one("apigatewayv2.create_authorizer", identitySources="identitySource"),
    "apigatewayv2/domainName": one("apigatewayv2.create_domain_name",
                                   domainNameConfiguration="domainNameConfigurations"),
    "apigatewayv2/integration": one("apigatewayv2.create_integration"),
    "apigatewayv2/route": one("apigatewayv2.create_route"),
    "apigatewayv2/stage": stage,
    "budgets/budget": budget,
    "cloudfront/cachePolicy": lambda i, name: [
        ("cloudfront.create_cache_policy", {"cachePolicyConfig": i})],
    "cloudfront/distribution": distribution,
    "cloudfront/function": lambda i, name: [("cloudfront.create_function", {
        "name": i["name"], "functionCode": i["code"],
        "functionConfig": {"comment": name, "runtime": i["runtime"]}})],
    "cloudwatch/compositeAlarm": one("cloudwatch.put_composite_alarm"),
    "cloudwatch/contributorInsightRule": one("cloudwatch.put_insight_rule"),
    "cloudwatch/dashboard": one("cloudwatch.put_dashboard"),
    "cloudwatch/eventRule": one("events.put_rule"),
    "cloudwatch/eventTarget": target,
    "cloudwatch/logDelivery": one("logs.create_delivery"),
    "cloudwatch/logDeliveryDestination": one("logs.put_delivery_destination"),
    "cloudwatch/logDeliverySource": one("logs.put_delivery_source"),
    "cloudwatch/logGroup": lambda i, name: [
        ("logs.create_log_group", {"logGroupName": i["name"]}),
        ("logs.put_retention_policy", renamed(i, name="logGroupName"))],
    "cloudwatch/logMetricFilter": metric_filter,
    "cloudwatch/logSubscriptionFilter": lambda i, name: [("logs.put_subscription_filter", {
        **renamed(i, logGroup="logGroupName"), "filterName": name})],
    "cloudwatch/metricAlarm": alarm,
    "cloudwatch/queryDefinition": one("logs.put_query_definition"),
    "dynamodb/contributorInsights": lambda i, name: [("dynamodb.update_contributor_insights", {
        **renamed(i, mode="contributorInsightsMode"), "contributorInsightsAction": "ENABLE"})],
    "dynamodb/table": table,
    "iam/role": role,
    "lambda/eventSourceMapping": one("lambda.create_event_source_mapping"),
    "lambda/function": function,
    # moto counts versions from 1.
    "lambda/permission": lambda i, name: [("lambda.add_permission", {
        **renamed(i, function="functionName"), "statementId": name,
        **({"qualifier": "1"} if "qualifier" in i else {})})],
    "lambda/provisionedConcurrencyConfig": one("lambda.put_provisioned_concurrency_config"),
    "route53/healthCheck": lambda i, name: [("route53.create_health_check", {
        "callerReference": name,
        "healthCheckConfig": renamed(i, fqdn="fullyQualifiedDomainName")})],
    "sns/topic": lambda i, name: [("sns.create_topic", {
        "name": i["name"], "attributes": {"DisplayName": i["displayName"]}})],
    "sns/topicPolicy": lambda i, name: [("sns.set_topic_attributes", {
        "topicArn": i["arn"], "attributeName": "Policy", "attributeValue": i["policy"]})],
    "sns/topicSubscription": one("sns.subscribe", topic="topicArn"),
    "sqs/queue": queue,
    "sqs/queuePolicy": lambda i, name: [("sqs.set_queue_attributes", {
        "queueUrl": i["queueUrl"], "attributes": {"Policy": i["policy"]}})],
    "sqs/redriveAllowPolicy": lambda i, name: [("sqs.set_queue_attributes", {
        "queueUrl": i["queueUrl"], "attributes": {"RedriveAllowPolicy": i["redriveAllowPolicy"]}})],
    "wafv2/webAcl": one("wafv2.create_web_acl"),
    "wafv2/webAclLoggingConfiguration": lambda i, name: [
        ("wafv2.put_logging_configuration", {"loggingConfiguration": i})],
    # SST's own bucket and the records of its certificates, which the provider makes in other ways.
    "acm/certificateValidation": lambda i, name: [],
    "route53/record": lambda i, name: [],
    "s3/bucketObjectv2": lambda i, name: [],
}
PROJECTION = ("projectionType", "nonKeyAttributes")

# What others refer to comes first.
FIRST = ("dynamodb/table", "sqs/queue", "iam/role", "sns/topic", "cloudwatch/logGroup",
         "apigatewayv2/api", "lambda/function", "apigatewayv2/authorizer", "apigatewayv2/integration",
         "cloudwatch/eventRule", "cloudwatch/metricAlarm", "apigatewayv2/domainName",
         "apigatewayv2/route")

with io.BytesIO() as file:
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("index.mjs", "")
    ZIP = file.getvalue()

created = 0
call("events.create_event_bus", {"name": "platform"}, "platform", "eu-central-1")
actions.clear()
resources = [each for each in json.load(sys.stdin)["resources"] if each["type"].startswith("aws:")]
for resource in resources:
    resource["kind"] = resource["type"][4:].split(":")[0]
resources.sort(key=lambda each: FIRST.index(each["kind"]) if each["kind"] in FIRST else len(FIRST))
for resource in resources:
    if resource["kind"] not in KINDS:
        problems.append(f"{resource['name']}: test/aws/resources.py knows no {resource['kind']}")
        continue
    created += 1
    # Only what must be there has a provider of its own.
    region = "us-east-1" if resource["provider"] else "eu-central-1"
    for operation, given in KINDS[resource["kind"]](resource["inputs"], resource["name"]):
        call(operation, given, resource["name"], region)
print(json.dumps({"created": created, "actions": sorted(actions), "problems": problems}))
