import { spawn } from 'node:child_process'

/*
 * Runs the engine until standard input ends. The input also ends when the process at its other end
 * is killed, so the engine never outlives that process. Nor does it outlive this one, if a signal
 * ends this one. The arguments are the engine's binary and its options.
 */

const [binary, ...options] = process.argv.slice(2)
const engine = spawn(binary as string, options, {
  stdio: ['ignore', 'ignore', 'inherit'],
  windowsHide: true,
})
engine.once('error', ({ message }) => {
  process.stderr.write(message)
  process.exit(1)
})
engine.once('exit', (code) => process.exit(code ?? 1))
process.stdin.once('close', () => engine.kill()).resume()
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.once(signal, () => engine.kill())
