import * as v from 'valibot'
import { problemsOfCombination } from './combinations.ts'
import { RequestFields } from './request-fields.ts'

/** GenerateSessionDTO of the specification: the fields, and which of them need or exclude each other. */
export const GenerateSession = v.pipe(
  RequestFields,
  v.rawCheck(({ dataset, addIssue }) => {
    // Also runs when a field is invalid, so that the caller learns of every problem at once.
    const input = dataset.value as GenerateSession | null | undefined
    if (!input) return
    for (const [key, message] of problemsOfCombination(input)) {
      addIssue({ message, path: [{ type: 'object', origin: 'value', input, key, value: input[key] }] })
    }
  }),
)

export type GenerateSession = RequestFields
