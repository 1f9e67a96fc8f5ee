import { alarms } from './alarms.ts'
import { api, serviceUrl } from './api.ts'
import { catalogQueues, readBy } from './catalog-queues.ts'
import { dashboard } from './dashboard.ts'
import { edge } from './edge.ts'
import { functions } from './functions.ts'
import { keyTable } from './keys.ts'
import { metrics } from './metrics.ts'
import { settingsOf } from './settings.ts'
import { rankThrottledKeys, tables } from './tables.ts'

/** The whole service of a stage. A deployment needs its outputs afterwards. */
export async function service() {
  const settings = settingsOf($app.stage, process.env)
  const signingKeys = await keyTable($app.stage)
  const stored = tables(settings, signingKeys)
  const { gateway, serve } = api(settings)
  const url = settings.hasEdge ? edge(gateway, settings) : serviceUrl(gateway, settings)
  const queues = catalogQueues(settings)
  const deployed = functions({ tables: stored, queues, url, settings })
  serve(deployed)
  readBy(deployed['catalog-sync'] as sst.aws.Function, queues)
  if (settings.monitored) {
    rankThrottledKeys(stored)
    metrics(gateway)
    await alarms(gateway, signingKeys.encryptionKey, queues, url, settings)
    dashboard(gateway, queues, url)
  }
  return {
    url,
    catalogTable: stored.catalog.name,
    sessionsTable: stored.sessions.name,
    credentialsTable: stored.credentials.name,
    catalogQueue: queues.changes.url,
  }
}
