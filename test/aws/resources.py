"""Creates the resources of a stage over AWS's own service models (botocore), against moto.

It reads what sst.config.ts makes of a stage from standard input, and prints a JSON list of what is
wrong. botocore itself checks names, types and what is required; check() adds enums, patterns and
limits. usage: resources.py ADDRESS_OF_MOTO
"""
import io
import json
import re
import sys
import zipfile

import boto3
from botocore.config import Config
from botocore.exceptions import ParamValidationError

ACCOUNT = "123456789012"
problems = []

# moto has no such call. The service's model has checked it all the same.
UNKNOWN_TO_MOTO = {
    "cloudfront.create_cache_policy",
    "cloudfront.create_function",
    "cloudwatch.put_composite_alarm",
    "dynamodb.update_contributor_insights",
    "lambda.put_provisioned_concurrency_config",
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
        members = {plain(name): name for name in shape.members}
        if isinstance(value, list) and "quantity" in members:
            value = {"items": value, "quantity": len(value)}
        elif "quantity" in members and "items" in value:
            value = {**value, "quantity": len(value["items"])}
        made = {}
        for key, each in value.items():
            name = members.get(plain(key))
            if name is None and key not in OF_PULUMI:
                problems.append(f"{path}: the API knows no {key}")
            elif name is not None and each not in (None, [], ""):
                made[name] = shaped(shape.members[name], each, f"{path}.{name}")
        return made
    if kind == "list":
        each = value if isinstance(value, list) else [value]
        return [shaped(shape.member, one, f"{path}[{n}]") for n, one in enumerate(each)]
    if kind == "map":
        return {key: shaped(shape.value, each, f"{path}.{key}") for key, each in value.items()}
    if kind == "blob":
        return value if isinstance(value, bytes) else text(value).encode()
    if kind in ("double", "float"):
        return float(value)
    return text(value) if kind == "string" else value


def check(shape, value, path):
    """What botocore itself leaves to the service: enums, patterns and limits."""
    kind, limits = shape.type_name, shape.metadata
    size = value if kind in ("integer", "long", "double", "float") else None
    if kind == "structure":
        for name, each in value.items():
            check(shape.members[name], each, f"{path}.{name}")
    elif kind == "list":
        size = len(value)
        for each in value:
            check(shape.member, each, path)
    elif kind == "map":
        for key, each in value.items():
            check(shape.key, key, path)
            check(shape.value, each, f"{path}.{key}")
    elif kind == "string":
        size = len(value)
        if shape.enum and value not in shape.enum:
            problems.append(f"{path}: {value!r} is none of {', '.join(shape.enum)}")
        if "pattern" in limits and not fits(limits["pattern"], value):
            problems.append(f"{path}: {value!r} does not match {limits['pattern']}")
    if size is not None and not limits.get("min", size) <= size <= limits.get("max", size):
        wanted = f"{limits.get('min', '')}..{limits.get('max', '')}"
        problems.append(f"{path}: {value!r} is {size}, not {wanted}")


def fits(pattern, value):
    """Patterns are Java's. Those that Python can't read are left out."""
    try:
        return re.search(pattern.replace(r"\p{Print}", r"[\x20-\x7e]"), value) is not None
    except re.error:
        return True


def caller(address, actions):
    clients, ids = {}, {}

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
        if (service, region) not in clients:
            clients[service, region] = boto3.client(
                service, endpoint_url=address, region_name=region,
                aws_access_key_id="x", aws_secret_access_key="x",
                config=Config(retries={"max_attempts": 0}))
        api = clients[service, region]
        model = api.meta.service_model.operation_model(api.meta.method_to_api_mapping[operation])
        actions.add(action_of(where, model))
        path = f"{name}: {operation}"
        request = shaped(model.input_shape, known(given), path)
        check(model.input_shape, request, path)
        try:
            answer = getattr(api, operation)(**request)
            ids.update({f"{name}Id": id for key, id in answer.items()
                        if re.fullmatch("(Api|Authorizer|Integration)Id|DomainName", key)})
        except ParamValidationError as error:
            problems.append(f"{path}: {error}")
        except Exception as error:
            if where not in UNKNOWN_TO_MOTO:
                problems.append(f"{path}: {error}")

    return call


def action_of(where, model):
    """What IAM calls an operation."""
    service = where.split(".")[0]
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


def pairs(values):
    return [{"name": key, "value": value} for key, value in (values or {}).items()]


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
        yield "iam.put_role_policy", {"roleName": i["name"], "policyName": each["name"],
                                      "policyDocument": policy}


def alarm(i, name):
    queries = []
    for query in i.get("metricQueries") or []:
        metric = query.get("metric")
        if metric:
            of = renamed(metric, period=None, stat=None, dimensions=None)
            of = {**of, "dimensions": pairs(metric.get("dimensions"))}
            stat = {"metric": of, "period": metric["period"], "stat": metric["stat"]}
            query = {**renamed(query, metric=None), "metricStat": stat}
        queries.append(query)
    if queries and sum(bool(query.get("returnData")) for query in queries) != 1:
        problems.append(f"{name}: exactly one query of an alarm returns data")
    rest = renamed(i, name="alarmName", metricQueries=None, dimensions=None)
    yield "cloudwatch.put_metric_alarm", {**rest, "metrics": queries,
                                          "dimensions": pairs(i.get("dimensions"))}


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
    "cloudwatch/logGroup": lambda i, name: [
        ("logs.create_log_group", {"logGroupName": i["name"]}),
        ("logs.put_retention_policy", renamed(i, name="logGroupName"))],
    "cloudwatch/logMetricFilter": metric_filter,
    "cloudwatch/logSubscriptionFilter": lambda i, name: [("logs.put_subscription_filter", {
        **renamed(i, logGroup="logGroupName"), "filterName": name})],
    "cloudwatch/metricAlarm": alarm,
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

created, actions = 0, set()
call = caller(sys.argv[1], actions)
call("events.create_event_bus", {"name": "platform"}, "platform", "eu-central-1")
actions.clear()
for resource in sorted(
    (each for each in json.load(sys.stdin)["resources"] if each["type"].startswith("aws:")),
    key=lambda each: (*FIRST, each["type"][4:].split(":")[0]).index(each["type"][4:].split(":")[0]),
):
    kind = resource["type"][4:].split(":")[0]
    if kind not in KINDS:
        problems.append(f"{resource['name']}: test/aws/resources.py knows no {kind}")
        continue
    created += 1
    for operation, given in KINDS[kind](resource["inputs"], resource["name"]):
        # Only what must be there has a provider of its own.
        region = "us-east-1" if resource["provider"] else "eu-central-1"
        call(operation, given, resource["name"], region)
print(json.dumps({"created": created, "actions": sorted(actions), "problems": problems}))
