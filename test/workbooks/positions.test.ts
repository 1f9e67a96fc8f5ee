import { directPosition, folderPosition, startOfDirect, workbookAt } from '@embed-access/core/workbooks/position.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const id = fc.nat({ max: Number.MAX_SAFE_INTEGER })

test('A position names its workbook, and the folder that gives it', () => {
  fc.assert(
    fc.property(id, id, (folderId, workbookId) => {
      expect(workbookAt(folderPosition(folderId, workbookId))).toEqual({ id: workbookId, folderId })
      expect(workbookAt(directPosition(workbookId))).toEqual({ id: workbookId })
    }),
  )
})

test('Positions sort as the list does: folders by id, workbooks by id within each, and then what is shared directly', () => {
  const sign = (one: string, another: string) => (one < another ? -1 : one > another ? 1 : 0)
  fc.assert(
    fc.property(id, id, id, id, (folder, workbook, otherFolder, otherWorkbook) => {
      const due = Math.sign(folder - otherFolder) || Math.sign(workbook - otherWorkbook)
      expect(sign(folderPosition(folder, workbook), folderPosition(otherFolder, otherWorkbook))).toBe(due)
      expect(sign(directPosition(workbook), directPosition(otherWorkbook))).toBe(Math.sign(workbook - otherWorkbook))
      expect(folderPosition(folder, workbook) < startOfDirect).toBe(true)
      expect(startOfDirect < directPosition(workbook)).toBe(true)
    }),
  )
})

test('A text that is no whole position names no workbook', () => {
  const whole = [folderPosition(12, 5), directPosition(5)]
  const texts = ['', 'w', 'f', 'x', ...whole.flatMap((text) => [`${text}~`, `x${text}`, text.slice(0, -1)])]
  for (const text of texts.filter((each) => !whole.includes(each))) {
    expect([text, workbookAt(text)]).toEqual([text, undefined])
  }
})
