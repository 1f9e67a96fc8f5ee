import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const isWindows = process.platform === 'win32'

export type Options = { readonly cwd: string; readonly env: NodeJS.ProcessEnv }

/**
 * Without what npm tells its scripts, with an empty cache, and without the wheel that npm turns. On
 * Windows npm's own scripts need a shell of POSIX.
 */
export function cleanEnvironment(cache: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^npm_|^NODE(_ENV|_OPTIONS|_PATH)?$|^INIT_CWD$|^DYNAMODB_/i.test(name),
  )
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((each) => !each.includes('node_modules'))
  return {
    ...Object.fromEntries(kept),
    PATH: path.join(delimiter),
    npm_config_cache: cache,
    TERM: 'dumb',
    ...(isWindows && { npm_config_script_shell: 'bash' }),
  }
}

/** What stays on a terminal: without colors. */
function shown(text: string): string {
  return stripVTControlCharacters(text).replaceAll('\r', '')
}

/** Runs a script of the shell to its end. @returns what it printed */
export async function step(name: string, script: string, options: Options): Promise<string> {
  const began = Date.now()
  const child = shell(script, options)
  let printed = ''
  child.stdout?.on('data', (text) => (printed += shown(`${text}`)))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${name} failed:\n${printed}`)
  report(name, began)
  return printed
}

/** Runs a script of the shell, which goes on after it has printed something. */
export async function start(
  name: string,
  script: string,
  until: RegExp,
  options: Options,
): Promise<ChildProcess> {
  const began = Date.now()
  const child = shell(script, options)
  const isUp = new Promise<void>((resolve, reject) => {
    let printed = ''
    child.stdout?.on('data', (text) => {
      printed += text
      if (until.test(printed)) resolve()
    })
    child.once('close', () => reject(new Error(`${name} ended:\n${printed}`)))
    setTimeout(
      () => reject(new Error(`${name} did not come up in ten minutes:\n${printed}`)),
      600_000,
    ).unref()
  })
  await isUp.catch((error) => {
    end(child)
    throw error
  })
  report(name, began)
  return child
}

/** Runs a script of the shell: on Linux at a pseudo-terminal, as a newcomer does. */
function shell(script: string, { cwd, env }: Options): ChildProcess {
  const [program, ...args] =
    process.platform === 'linux'
      ? ['script', '--quiet', '--return', '--flush', '--command', script, '/dev/null']
      : ['bash', '-c', script]
  return spawn(program as string, args, {
    cwd,
    env: { ...env, SHELL: 'bash' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: !isWindows,
  })
}

/** Ends it with all that it started. */
export function end(child: ChildProcess): void {
  try {
    if (isWindows) child.kill()
    else process.kill(-(child.pid as number), 'SIGINT')
  } catch {
    // It has ended by itself.
  }
}

function report(name: string, began: number): void {
  process.stdout.write(`ok  ${name}, ${((Date.now() - began) / 1000).toFixed(1)} s\n`)
}

export function expect(text: string, pattern: RegExp): void {
  if (!pattern.test(text)) throw new Error(`Not as it should be: ${pattern} is not in\n${text}`)
}
