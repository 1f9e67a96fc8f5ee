import { CloudWatchLogsClient, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs'
import { logGroupName } from '../../stacks/names.ts'
import { messageOf, reasonIn } from '../terminal.ts'
import { boundsOf } from './month.ts'

/** The functions that write about sessions. */
const functions = ['generate-session', 'exchange-session', 'revoke-session', 'end-embed-session']

/** How much later than its own time a line may reach the log, in milliseconds. */
const mostDelay = 60 * 60 * 1000

/** AWS allows few of these calls a second. So the client waits, and tries for minutes. */
const patient = { maxAttempts: 15 }

/**
 * The audit lines about sessions that a stage has written in a month, from CloudWatch Logs.
 * @throws Error with a plain sentence if they can't be read
 */
export async function* stageLogs(stage: string, month: string): AsyncGenerator<string> {
  const client = new CloudWatchLogsClient(patient)
  const { begins, ends } = boundsOf(month)
  for (const name of functions) {
    const logGroup = logGroupName(stage, name)
    const query = {
      logGroupName: logGroup,
      startTime: begins,
      endTime: ends + mostDelay,
      filterPattern: '{ $.event = "session.*" }',
    }
    try {
      for await (const { events = [] } of paginateFilterLogEvents({ client }, query))
        for (const { message = '' } of events) yield message
    } catch (error) {
      throw explained(error, logGroup)
    }
  }
}

const reasons = {
  'Region is missing': 'There is no AWS region. Set AWS_REGION',
  CredentialsProviderError: 'There are no AWS credentials ({message}). Log in to AWS',
  ResourceNotFoundException: 'There is no such log group in this account and region',
  AccessDeniedException: 'You may not read it: that takes logs:FilterLogEvents',
}

function explained(error: unknown, logGroup: string): Error {
  const reason = reasonIn(reasons, error) ?? messageOf(error)
  return new Error(`Cannot read ${logGroup}. ${reason}.`, { cause: error })
}
