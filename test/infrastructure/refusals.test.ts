import { expect, test } from 'vitest'
import { refusals } from './refusals.ts'
import { evaluated, type StageName, shortType } from './suite.ts'

/** What must not be in the region of the stage. */
const abroad = /^(Edge(Ssl.*|Firewall|Blocked.*|Requests.*)|Heartbeat(Topic|Email|Alarm))$/

const cases = Object.entries(refusals).flatMap(([type, each]) =>
  each.map(([page, allows]) => [type, page, allows] as const),
)

/** Records are in no region. */
const made = (Object.keys(evaluated) as StageName[]).flatMap((stage) =>
  evaluated[stage].resources.flatMap(({ type, provider, ...resource }) =>
    type.startsWith('aws:') && !type.startsWith('aws:route53/record')
      ? {
          ...resource,
          stage,
          type: shortType(type),
          region: provider ? 'us-east-1' : 'eu-central-1',
        }
      : [],
  ),
)

test.each(cases)('%s is as AWS takes it: %s', (type, _, allows) => {
  const ofType = made.filter((each) => each.type === type)
  expect(ofType.length).toBeGreaterThan(0)
  expect(
    ofType.filter(({ inputs, region }) => !allows(inputs, region)).map(({ name }) => name),
  ).toEqual([])
})

test('what AWS demands in us-east-1 is there, and all else in the region of the stage', () => {
  const { resources } = evaluated.edge
  const regions = resources.flatMap(({ type, name, inputs }) =>
    type === 'pulumi:providers:aws' ? [[name, inputs.region]] : [],
  )
  expect(Object.fromEntries(regions)).toEqual({
    EdgeRegion: 'us-east-1',
    Heartbeat: 'us-east-1',
    'AwsProvider.sst.us-east-1': 'us-east-1',
  })
  const wrong = made.filter(
    ({ name, region, stage }) =>
      (region === 'us-east-1') !==
      (abroad.test(name) || (stage === 'edge' && name === 'CertificateExpiryAlarm')),
  )
  expect(wrong.map(({ stage, name }) => `${stage}: ${name}`)).toEqual([])
})
