import { alarms } from './alarms.ts'
import { addressOf, api } from './api.ts'
import { catalogQueues, readBy } from './catalog-queues.ts'
import { dashboard } from './dashboard.ts'
import { edge } from './edge.ts'
import { executionsOf } from './executions.ts'
import { functions } from './functions.ts'
import { metrics } from './metrics.ts'
import { queries } from './queries.ts'
import { settingsOf } from './settings.ts'
import { rankThrottledKeys, tables as tablesOf } from './tables.ts'

/** The whole service of a stage. A deployment needs its outputs afterwards. */
export async function service() {
  const settings = settingsOf($app.stage, process.env)
  const tables = await tablesOf(settings)
  const executions = await executionsOf(settings)
  const { gateway, serve } = api(settings)
  const address = settings.hasEdge ? edge(gateway, settings) : addressOf(gateway, settings)
  const queues = catalogQueues(settings)
  const deployment = { tables, queues, ...address, executions, settings }
  const deployed = functions(deployment)
  serve(deployed)
  readBy(deployed['catalog-sync'] as sst.aws.Function, queues, executions)
  if (settings.monitored) {
    rankThrottledKeys(tables)
    metrics(gateway)
    queries(gateway, deployed)
    await alarms(gateway, deployment)
    dashboard(gateway, deployment)
  }
  return {
    url: address.url,
    catalogTable: tables.catalog.name,
    sessionsTable: tables.sessions.name,
    credentialsTable: tables.credentials.name,
    catalogQueue: queues.changes.url,
  }
}
