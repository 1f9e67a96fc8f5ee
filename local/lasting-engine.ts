import { claimDirectory } from './data-directory.ts'
import { type Engine, startEngine } from './engine.ts'

/**
 * Starts the embedded engine and stays with it. If it ends by itself, one that keeps its data is started again at the same
 * address. Without a directory all data went with it, so the service has to end too.
 * @param say takes a line for the operator
 * @param lost is called once there is no engine any more
 * @throws Error with a plain sentence if the directory is in use, or the engine doesn't start
 */
export async function lastingEngine(
  dataDirectory: string | undefined,
  say: (line: string) => void,
  lost: (reason: unknown) => void,
): Promise<Pick<Engine, 'endpoint' | 'stop'>> {
  if (dataDirectory !== undefined) await claimDirectory(dataDirectory)
  let engine = await startEngine({ dataDirectory })
  const { endpoint } = engine
  let stopping = false

  async function stayWith(): Promise<void> {
    for (;;) {
      await engine.ended
      if (stopping) return
      if (dataDirectory === undefined) {
        throw new Error('The embedded DynamoDB engine has ended, and all data with it. Start the service again.')
      }
      say('The embedded DynamoDB engine has ended. It is started again.')
      engine = await startEngine({ dataDirectory, endpoint })
    }
  }
  stayWith().catch(lost)

  return {
    endpoint,
    stop() {
      stopping = true
      return engine.stop()
    },
  }
}
