import { printable, quoted } from '@embed-access/core/catalog/quoted.ts'
import type { Message } from '../../functions/catalog-queue/message.ts'
import { verb } from '../command.ts'
import { linesTo, type Terminal } from '../terminal.ts'
import { queueFrom } from './queue.ts'

export const redrive = (terminal: Terminal) =>
  verb('redrive', 'Moves the dead letters back to the queue, unchanged.', {
    examples: ['npx embed-access catalog redrive'],
  }).action(async () => {
    const count = await queueFrom(terminal.env).redrive()
    linesTo(terminal.out)(`dead letters that go back to the queue: ${count}`)
  })

export const dead = (terminal: Terminal) =>
  verb('dead', 'Shows the changes that became dead letters, each below the reason.', {
    examples: ['npx embed-access catalog dead'],
    deletes: 'nothing; with --delete all dead letters of the local server',
    one: 'there is a dead letter',
  })
    .option('--delete', 'deletes all dead letters of the local server instead')
    .action(async ({ delete: deletes }) => {
      const queue = queueFrom(terminal.env)
      const print = linesTo(terminal.out)
      if (deletes) return print(`deleted ${await queue.deleteDead()}`)
      const letters = await Array.fromAsync(queue.deadLetters())
      if (letters.length === 0) return print('No change is dead.')
      terminal.exitCode = 1
      print(letters.flatMap(deadLines).join('\n'))
    })

/**
 * A dead letter as lines for a person: the reason, and the changes as they are, on a line each.
 * A text that is not JSON becomes a JSON string.
 */
function deadLines({ body, reason = 'failed too often, or at once' }: Message): string[] {
  // JSON may have tabs between its tokens, and never within them.
  const lines = body.split('\n').map((line) => line.replaceAll(/[\t\r]/g, ' '))
  return [
    `# ${printable(reason)}`,
    ...(lines.every(isJson) ? lines.map(printable) : [quoted(body)]),
  ]
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
