import { afterEach, beforeAll, beforeEach } from 'vitest'
import { mutants } from './switch.ts'

// Tells the sources with mutants which test reaches them.
beforeAll(() => {
  mutants.currentTestId = 'hooks'
})
beforeEach(({ task }) => {
  mutants.currentTestId = task.id
})
afterEach(() => {
  mutants.currentTestId = 'hooks'
})
