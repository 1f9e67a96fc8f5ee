import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** A command of the project, with all it prints. The developer's own settings do not count. */
export function run(
  args: readonly string[],
  env: Record<string, string> = {},
  program = process.execPath,
) {
  const own = { DYNAMODB_ENDPOINT: '', PORT: '', FORCE_COLOR: undefined }
  const child = spawn(program, args, { env: { ...process.env, ...own, ...env } })
  let printed = ''
  const collect = (text: Buffer) => {
    // What a server prints for hours has no end.
    printed = `${printed}${text}`.slice(-1_000_000)
    child.emit('printed')
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const ended = once(child, 'close').then(([code]) => ({ code: code as number, printed }))
  const early = () =>
    ended.then(({ code }) => Promise.reject(new Error(`ended with ${code}: ${printed}`)))
  return {
    child,
    ended,
    async printed(pattern: RegExp): Promise<RegExpExecArray> {
      for (;;) {
        const match = pattern.exec(printed)
        if (match) return match
        await Promise.race([once(child, 'printed'), early()])
      }
    },
  }
}

/** Options of Node for a program that must not give up on a slow machine. */
export const withoutLimits = ['--import', new URL('held-limits.mjs', import.meta.url).href]

/** `npm start` with these options, at any free port unless they name one, once it listens. */
export async function started(...options: readonly string[]) {
  const service = run([...withoutLimits, 'cli/embed-access.ts', 'start', ...options], { PORT: '0' })
  const [, url = ''] = await service.printed(/Listening on (\S+)\n/)
  const end = (signal: NodeJS.Signals = 'SIGINT') => {
    service.child.kill(signal)
    return service.ended
  }
  return { ...service, url, pid: service.child.pid as number, end }
}
