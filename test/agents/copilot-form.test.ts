// The forms of Copilot: which answers each field takes, what the others are told, and the values that the client is given.
import { expect, test } from 'vitest';
import { formFault, formValues } from '../../src/agents/copilot/form.ts';

const ENUM = { type: 'string', enum: ['eu', 'us'], enumNames: ['Europe', 'America'] };
const CROSSED = { type: 'string', enum: ['A', 'B'], enumNames: ['B', 'A'] };
const MANY = { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] } };

test.each([
  ['yes', { type: 'boolean' }, ['Yes'], true],
  ['true, in capitals', { type: 'boolean' }, ['TRUE'], true],
  ['no', { type: 'boolean' }, ['no'], false],
  ['false', { type: 'boolean' }, ['false'], false],
  ['n', { type: 'boolean' }, ['n'], false],
  ['a number', { type: 'number' }, ['-2.5'], -2.5],
  ['a number with an exponent', { type: 'number' }, ['1e3'], 1_000],
  ['a whole number', { type: 'integer' }, ['12'], 12],
  ['the least and the most', { type: 'integer', minimum: 1, maximum: 1 }, ['1'], 1],
  ['an option by its name', ENUM, ['Europe'], 'eu'],
  ['an option by its value', ENUM, ['us'], 'us'],
  ['an option whose name is the value of another', CROSSED, ['A'], 'B'],
  ['several of them', { type: 'array', items: CROSSED }, ['B'], ['A']],
  ['several options', MANY, ['a', 'c'], ['a', 'c']],
  ['a text', { type: 'string' }, ['as green as grass'], 'as green as grass'],
  ['a text of characters beyond the first plane', { type: 'string', maxLength: 2 }, ['😀😀'], '😀😀'],
])('taken: %s', (_what, given, chosen, value) => {
  const schema = { properties: { it: given } };
  expect(formFault(schema, [chosen])).toBeNull();
  expect(formValues(schema, '', [chosen])).toEqual({ it: value });
});

test.each([
  [{ type: 'boolean' }, ['yesterday'], 'yes or no'],
  [{ type: 'boolean' }, ['maybe'], 'yes or no'],
  [{ type: 'boolean' }, [''], 'yes or no'],
  [{ type: 'number' }, ['lots'], 'a number (such as 2.5)'],
  [{ type: 'number' }, ['2,5'], 'a number (such as 2.5)'],
  [{ type: 'number' }, ['0x10'], 'a number (such as 2.5)'],
  [{ type: 'number' }, ['Infinity'], 'a number (such as 2.5)'],
  [{ type: 'number' }, ['1e999'], 'a number (such as 2.5)'],
  [{ type: 'integer' }, ['2.5'], 'a whole number'],
  [{ type: 'integer' }, ['12 eggs'], 'a whole number'],
  [{ type: 'integer' }, ['9007199254740993'], 'a whole number'],
  [{ type: 'integer', minimum: 1, maximum: 10 }, ['0'], 'a whole number, at least 1 and at most 10'],
  [{ type: 'integer', minimum: 1, maximum: 10 }, ['11'], 'a whole number, at least 1 and at most 10'],
  [
    { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
    ['1'],
    'a number (such as 2.5), more than 0 and less than 1',
  ],
  [ENUM, ['Asia'], 'one of its options'],
  [MANY, ['a', 'd'], 'its options only, with commas between them'],
  [{ ...MANY, maxItems: 1 }, ['a', 'b'], 'at most 1 of its options'],
  [{ ...MANY, minItems: 2 }, ['a'], 'at least 2 of its options'],
  [{ type: 'string', maxLength: 3 }, ['four'], 'at most 3 characters'],
  [{ type: 'string', minLength: 3 }, ['no'], 'at least 3 characters'],
])('%j does not take %j', (given, chosen, wanted) => {
  expect(formFault({ properties: { it: given } }, [chosen])).toBe(`it takes ${wanted}`);
  const several = { properties: { first: { type: 'string' }, it: given } };
  expect(formFault(several, [['fine'], chosen])).toBe(`answer 2 of 2 takes ${wanted}`);
});
