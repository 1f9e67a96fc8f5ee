import { type Settings, versionsAtOnce } from './settings.ts'

/** How many executions a new account has. Previews assume that many, so they look nothing up. */
const ofNewAccount = 10

/** Executions that AWS keeps for the functions without a share of their own. */
const unreserved = 100

/** How many executions the settings keep for the authorizer and the exchange together. */
export const keptOf = ({
  PROVISIONED_CONCURRENCY: provisioned = 0,
  RESERVED_CONCURRENCY: reserved = 0,
}: Settings): number => 2 * Math.max(provisioned, reserved)

/**
 * Returns how many executions of Lambda this region allows the account at once.
 * @throws Error with a sentence that names the setting, if they are too few for what is reserved
 */
export async function executionsOf({
  monitored,
  PROVISIONED_CONCURRENCY: provisioned = 0,
  RESERVED_CONCURRENCY: reserved = 0,
}: Settings): Promise<number> {
  const quota = { serviceCode: 'lambda', quotaCode: 'L-B99A9384' }
  const executions = monitored
    ? (await aws.servicequotas.getServiceQuota(quota)).value
    : ofNewAccount
  // The authorizer and the exchange have one share each.
  const most = Math.max(0, Math.floor((executions - unreserved) / 2))
  const demand = (setting: string, value: number, limit: number) => {
    if (value <= limit) return
    throw new Error(
      `${setting} must be ${limit ? `at most ${limit}` : 'empty'}, since the account has ` +
        `${executions} executions and AWS keeps ${unreserved} for all other functions.`,
    )
  }
  demand('RESERVED_CONCURRENCY', reserved, most)
  // Provisioned executions, too, are taken from those that can be reserved.
  demand('PROVISIONED_CONCURRENCY', provisioned, Math.floor(most / versionsAtOnce))
  return executions
}
