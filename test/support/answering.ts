import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'

/** How long a program may take until it answers, in milliseconds. */
const patience = 60_000

/**
 * Starts a program that serves HTTP, and waits until it answers. `stop` ends it, and all that it
 * started itself if it is `detached`.
 * @throws Error if it ends, or does not answer in a minute
 */
export async function answering(
  url: string,
  program: string,
  args: readonly string[],
  options: SpawnOptions = { stdio: ['ignore', 'ignore', 'inherit'] },
) {
  const child = spawn(program, args, options)
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  async function stop(): Promise<void> {
    if (hasEnded()) return
    const exit = once(child, 'exit')
    if (options.detached) process.kill(-(child.pid as number), 'SIGKILL')
    else child.kill()
    await exit
  }
  for (const deadline = Date.now() + patience; Date.now() < deadline && !hasEnded(); ) {
    if (await fetch(url).catch(() => undefined)) return { child, stop }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await stop()
  throw new Error(`${program} did not start.`)
}
