import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { environmentOf, keyTableName } from '../../stacks/names.ts'
import {
  deployStatements,
  everything,
  matches,
  resourcesOf,
  statementsIn,
} from '../infrastructure/account-template.ts'
import { evaluated, type Inputs, type StageName, stageOf } from '../infrastructure/suite.ts'
import { temporaryDirectory } from '../support/temporary.ts'
import { tools } from './proof.ts'

const moto = process.env.MOTO ?? ''
const stages = Object.keys(evaluated) as StageName[]
const home = temporaryDirectory()
const environments = ['production', 'staging', 'pr'] as const

afterEach(() => fetch(`${moto}/moto-api/reset`, { method: 'POST' }).then(() => undefined))

/**
 * Runs a script of the shell with the tools, where AWS is moto. @returns what it printed
 * @throws Error with all that it printed, if it fails
 */
function shell(script: string, input = ''): string {
  const bins = [home, `${tools.linters}/bin`, `${tools.checkov}/bin`, tools.actionlint]
  const result = spawnSync('bash', ['-euc', script], {
    input,
    encoding: 'utf8',
    maxBuffer: Infinity,
    env: {
      ...process.env,
      PATH: [...bins, process.env.PATH].join(delimiter),
      AWS_ENDPOINT_URL: moto,
      AWS_MAX_ATTEMPTS: '1',
      AWS_REGION: 'eu-central-1',
      AWS_DEFAULT_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'x',
      AWS_SECRET_ACCESS_KEY: 'x',
      GITHUB_REPOSITORY: 'org/repo',
      DYNAMODB_ENDPOINT: '',
    },
  })
  if (result.status !== 0) throw new Error(`${script}\n${result.stdout}${result.stderr}`)
  return result.stdout
}

test.each(stages)('%s: AWS takes its values, and the deploying role may make it', (name) => {
  const printed = shell('python test/aws/resources.py', JSON.stringify(evaluated[name]))
  const { actions, problems } = JSON.parse(printed)
  const environment = environmentOf(stageOf(name).physical)
  const allowed = deployStatements(environment, everything).flatMap(({ Action }) => Action)
  const denied = actions.filter((action: string) => !allowed.some((each) => matches(each, action)))
  expect({ problems, denied }).toEqual({ problems: [], denied: [] })
})

describe('the commands work with AWS’s services', () => {
  const own = 'node cli/embed-access.ts'

  test('signing keys are made, rotated, shown and removed', () => {
    const stage = '--stage pr-7'
    const made = shell(`
      ${own} keys init ${stage}
      ${own} keys rotate ${stage} --older-than 30d
      ${own} keys public ${stage}
      aws dynamodb describe-continuous-backups --table-name ${keyTableName('pr-7')}
      ${own} keys remove ${stage}
      aws dynamodb list-tables --output text`)
    expect(made).toMatch(/"kid":/)
    expect(made).toMatch(/"PointInTimeRecoveryStatus": "ENABLED"/)
    expect(made).not.toMatch(/TABLENAMES/)
  })

  // moto has no StartMessageMoveTask, so test/feed tries redrive over a queue of its own.
  test('changes are sent, and dead letters are shown with their reason', () => {
    const file = join(home, 'changes.ndjson')
    const data = { deploymentId: 1, id: 1, name: 'new', parentId: null }
    writeFileSync(file, JSON.stringify({ kind: 'folder', data }))
    const printed = shell(`
      sqs() { aws --endpoint-url $AWS_ENDPOINT_URL sqs "$@"; }
      queue() { sqs create-queue --query QueueUrl --output text --queue-name $1; }
      dead=$(queue q-dead)
      export CATALOG_QUEUE_URL=$(queue q)
      ${own} catalog send ${file}
      sqs receive-message --queue-url $CATALOG_QUEUE_URL --query 'Messages[].Body'
      reason='{"reason":{"DataType":"String","StringValue":"/data/id is missing"}}'
      sqs send-message --queue-url $dead --message-body '{"a":1}' --message-attributes "$reason"
      ${own} catalog dead || [ $? = 1 ]`)
    for (const part of ['folder', '# /data/id is missing', '{"a":1}']) {
      expect(printed).toContain(part)
    }
  })

  test('only previews of closed pull requests are removed, with their keys', () => {
    const scripts = {
      gh: '[ "$3" = 7 ] && echo CLOSED || echo OPEN',
      npx: '[ "$1" = sst ] && echo "npx $*" || { shift; exec node cli/embed-access.ts "$@"; }',
    }
    for (const [name, script] of Object.entries(scripts)) {
      writeFileSync(join(home, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    }
    const printed = shell(`
      bucket='aws s3api create-bucket --create-bucket-configuration LocationConstraint=eu-central-1'
      $bucket --bucket sst-state
      aws ssm put-parameter --name /sst/bootstrap --type String --value '{"state":"sst-state"}'
      for stage in pr-7 pr-8; do
        aws s3api put-object --bucket sst-state --key app/embed-access/$stage.json
        ${own} keys init --stage $stage
      done
      scripts/remove-closed-previews
      ${own} keys init --stage pr-9
      scripts/remove-stage pr-9
      aws dynamodb list-tables --output text`)
    expect(printed).toMatch(/npx sst remove --stage pr-7/)
    expect(printed).not.toMatch(/npx sst remove --stage pr-8/)
    expect(printed).toMatch(/There is no stage pr-9/)
    expect(printed).not.toMatch(/npx sst remove --stage pr-9/)
    expect(printed.match(/TABLENAMES\t.*/g)).toEqual([`TABLENAMES\t${keyTableName('pr-8')}`])
  })
})

describe('the linters agree', () => {
  test('IAM has the actions, resources and conditions of every policy', () => {
    const roles = Object.fromEntries(
      stages
        .flatMap((name) => Object.values(stageOf(name).made('iam:Role')))
        .map((role, index) => [`Role${index}`, asTemplate(role)]),
    )
    const file = join(home, 'roles.json')
    writeFileSync(file, JSON.stringify({ Resources: roles }))
    expect(() => shell(`cfn-lint -c I3510 -- stacks/account.yml ${file}`)).not.toThrow()
    const all = [roles, ...environments.map((each) => resourcesOf(each, everything))]
    const statements = all.flatMap((resources) =>
      Object.keys(resources).flatMap((name) => statementsIn(resources, name)),
    )
    const printed = shell('python test/aws/permissions.py', JSON.stringify(statements))
    expect(JSON.parse(printed)).toEqual([])
  })

  test.each([
    ['actionlint, with shellcheck', 'actionlint'],
    ['shellcheck', 'shellcheck $(grep -rlE "^#!.*bash" .ci scripts)'],
    ['zizmor', 'zizmor --offline --no-progress --config test/aws/zizmor.yml .github'],
    ['checkov', 'checkov --config-file test/aws/checkov.yml'],
  ])('%s finds nothing', (_, script) => {
    expect(() => shell(script)).not.toThrow()
  })
})

/** A role as CloudFormation would make it. */
const asTemplate = ({ assumeRolePolicy: AssumeRolePolicyDocument, inlinePolicies }: Inputs) => {
  const Policies = inlinePolicies.map(({ name, policy }: Inputs) => {
    return { PolicyName: name, PolicyDocument: policy }
  })
  return { Type: 'AWS::IAM::Role', Properties: { AssumeRolePolicyDocument, Policies } }
}
