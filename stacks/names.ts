/*
 * Names that the deployment, the commands and the account's template (stacks/account.yml) agree on.
 */

const appName = 'embed-access'

/**
 * What the name of a stage must be. With a longer one AWS would shorten the names of roles, and the
 * policy of the deploying role matches whole names.
 */
export const stageRule = {
  pattern: /^[a-z][a-z0-9-]{0,12}$/,
  words: 'must be 1 to 13 lower-case letters, digits and hyphens, with a letter first.',
}

/** The environment of a stage, for which the account's template is deployed. */
export const environmentOf = (stage: string): 'production' | 'staging' | 'pr' =>
  stage === 'production' || stage === 'staging' ? stage : 'pr'

/**
 * The table with the signing keys of a stage. `npx embed-access keys` makes it, before the stage's
 * first deployment.
 */
export const keyTableName = (stage: string): string => `${appName}-${stage}-signing-keys`

export const functionName = (stage: string, name: string): string => `${appName}-${stage}-${name}`

export const logGroupName = (stage: string, name: string): string =>
  `/aws/lambda/${functionName(stage, name)}`

export const keyAlias = (stage: string): string => `alias/${appName}-${environmentOf(stage)}`

export const boundaryName = (stage: string, region: string): string =>
  `${appName}-${environmentOf(stage)}-boundary-${region}`

/** AWS Backup takes no hyphens here. */
export const restoreTestName = (stage: string): string => `embed_access_${environmentOf(stage)}`

/** @example componentName('list-dbt-syncs') // 'ListDbtSyncs' */
export const componentName = (name: string): string =>
  name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())
