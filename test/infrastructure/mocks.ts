// biome-ignore lint/suspicious/noExplicitAny: inputs of any resource
export type Inputs = Record<string, any>

type Created = {
  readonly type: string
  readonly name: string
  readonly inputs: Inputs
  readonly provider?: string
}
type Called = { readonly token: string; readonly inputs: Inputs }

const account = '123456789012'
const region = 'eu-central-1'

/** What AWS adds to a resource that is made, as far as others refer to it. */
const made: Readonly<Record<string, (name: string, inputs: Inputs) => Inputs>> = {
  'aws:apigatewayv2/api:Api': () => ({
    apiEndpoint: `https://gateway.execute-api.${region}.amazonaws.com`,
    executionArn: `arn:aws:execute-api:${region}:${account}:gateway`,
  }),
  'aws:acm/certificate:Certificate': () => ({
    domainValidationOptions: [
      {
        domainName: 'd',
        resourceRecordName: 'n',
        resourceRecordType: 'CNAME',
        resourceRecordValue: 'v',
      },
    ],
  }),
  'aws:apigatewayv2/domainName:DomainName': (_, { domainNameConfiguration }) => ({
    domainNameConfiguration: {
      ...domainNameConfiguration,
      targetDomainName: 'target',
      hostedZoneId: 'zone',
    },
  }),
  'aws:cloudfront/distribution:Distribution': () => ({
    domainName: 'edge.cloudfront.net',
    hostedZoneId: 'edgeZone',
  }),
  'aws:dynamodb/table:Table': (name) => ({
    arn: `arn:aws:dynamodb:${region}:${account}:table/${name}`,
  }),
  'aws:cloudwatch/logGroup:LogGroup': (name) => ({
    arn: `arn:aws:logs:${region}:${account}:log-group:${name}`,
  }),
  'aws:cloudwatch/logDeliveryDestination:LogDeliveryDestination': (name) => ({
    arn: `arn:aws:logs:us-east-1:${account}:delivery-destination:${name}`,
  }),
  'aws:sqs/queue:Queue': (name) => ({
    url: `https://sqs.${region}.amazonaws.com/${account}/${name}`,
  }),
  'aws:cloudwatch/eventRule:EventRule': (name) => ({
    arn: `arn:aws:events:${region}:${account}:rule/platform/${name}`,
  }),
  'aws:iam/role:Role': (name) => ({ arn: `arn:aws:iam::${account}:role/${name}` }),
  'aws:cloudfront/function:Function': (name) => ({
    arn: `arn:aws:cloudfront::${account}:function/${name}`,
  }),
  'aws:lambda/function:Function': (name) => {
    const arn = `arn:aws:lambda:${region}:${account}:function:${name}`
    return {
      arn,
      version: '7',
      qualifiedArn: `${arn}:7`,
      invokeArn: `arn:aws:apigateway:${region}:lambda:path/2015-03-31/functions/${arn}/invocations`,
    }
  },
  'random:index/randomBytes:RandomBytes': () => ({ base64: Buffer.alloc(32).toString('base64') }),
}

const keyArn = `arn:aws:kms:${region}:${account}:key/signing-keys`

const called: Readonly<Record<string, (inputs: Inputs) => Inputs>> = {
  getRegion: () => ({ region, name: region }),
  getPartition: () => ({ partition: 'aws' }),
  getCallerIdentity: () => ({ accountId: account }),
  getTable: ({ name }) => ({
    name,
    arn: `arn:aws:dynamodb:${region}:${account}:table/${name}`,
    serverSideEncryption: { enabled: true, kmsKeyArn: keyArn },
    deletionProtectionEnabled: true,
    pointInTimeRecovery: { enabled: true },
  }),
  getTableItem: (inputs) => ({ ...inputs, item: '{}' }),
  getServiceQuota: (inputs) => ({ ...inputs, value: 1000 }),
  getPolicyDocument: (inputs) => ({ ...inputs, json: JSON.stringify(asPolicy(inputs)) }),
}

/** IAM's own form of a policy. */
const asPolicy = ({ statements = [] }: Inputs) => ({
  Version: '2012-10-17',
  Statement: statements.map(({ effect: Effect, actions, resources, conditions }: Inputs) => {
    const Condition: Record<string, object> = {}
    for (const { test, variable, values } of conditions ?? []) {
      Condition[test] = { ...Condition[test], [variable]: values }
    }
    return { Effect, Action: actions, Resource: resources, ...(conditions && { Condition }) }
  }),
})

const answersOtherwise: Readonly<Record<string, Inputs | null>> = JSON.parse(
  process.env.MOCKED_ANSWERS ?? '{}',
)

/** The look-ups that were made, such as `aws:dynamodb/getTable`. */
export const lookedUp = new Set<string>()

/** Pulumi's mocks: every resource is made at once, and every look-up has an answer. */
export const mocks = {
  newResource({ type, name: logicalName, inputs, provider = '' }: Created) {
    if (process.env.MOCKED_ANSWERS) process.stderr.write(`made: ${type}\n`)
    const name = inputs.name ?? logicalName
    const place = /Heartbeat|EdgeRegion|us-east-1/.test(provider) ? 'us-east-1' : region
    const arn = `arn:aws:${type.split(/[:/]/)[1]}:${place}:${account}:${name}`
    return {
      id: `${logicalName}Id`,
      state: { arn, name, ...inputs, ...made[type]?.(name, inputs) },
    }
  },
  call({ token, inputs }: Called) {
    const name = token.split(':').at(-1) as string
    lookedUp.add(token.slice(0, token.lastIndexOf(':')))
    // A test may have AWS answer otherwise, or with an error.
    const otherwise = answersOtherwise[name]
    if (otherwise === null) throw new Error(`${name}: not found`)
    const answer = called[name]
    if (!answer) throw new Error(`no mock of ${token}`)
    return { ...answer(inputs), ...otherwise }
  },
}
