import fc from 'fast-check'
import { afterEach, beforeAll, beforeEach } from 'vitest'
import { mutants } from './switch.ts'

// A mistake is tried in seconds, so a property has time for some of its cases only.
fc.configureGlobal({ ...fc.readConfigureGlobal(), interruptAfterTimeLimit: 1500 })

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
