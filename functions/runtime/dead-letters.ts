import * as v from 'valibot'
import type { SendMessages } from '../catalog-queue/message.ts'
import { sendTo, sqsClient } from '../catalog-queue/sqs.ts'
import { type Environment, readVariable } from './environment.ts'

/** The queue of dead letters: DEAD_LETTERS_URL. */
export const deadLetters = (environment: Environment): SendMessages =>
  sendTo(sqsClient(), readVariable(environment, 'DEAD_LETTERS_URL', v.pipe(v.string(), v.url('must be a URL'))))
