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
