import type { ToolFunction, ToolRunner } from '@tollgate/engine';
import type { JsonObject } from '@tollgate/provider';

/** Coordinates are counted from 0 to this, whatever size the screen has: the model sees a screenshot, not its pixels. */
const coordinateMax = 999;

const coordinate = (what: string): JsonObject => ({
  type: 'integer',
  minimum: 0,
  maximum: coordinateMax,
  description: `${what}, where 0 is the left or upper edge of the screen and ${coordinateMax} the other one`,
});
const point = { x: coordinate('Horizontal place'), y: coordinate('Vertical place') };
const text = (description: string): JsonObject => ({ type: 'string', description });
const direction: JsonObject = { type: 'string', enum: ['up', 'down', 'left', 'right'] };

const action = (
  name: string,
  description: string,
  properties: Readonly<Record<string, JsonObject>> = {},
  optional: readonly string[] = [],
): ToolFunction => ({
  name,
  description,
  parameters: {
    type: 'object',
    properties,
    required: Object.keys(properties).filter((key) => !optional.includes(key)),
    additionalProperties: false,
  },
});

/** What can be done in a browser, by the names that models trained for it know. */
const browserActions: readonly ToolFunction[] = [
  action('open_web_browser', 'Opens the browser.'),
  action('wait_5_seconds', 'Waits five seconds for the page to settle.'),
  action('go_back', 'Goes to the previous page of the history.'),
  action('go_forward', 'Goes to the next page of the history.'),
  action('search', 'Goes to the home page of a search engine.'),
  action('navigate', 'Goes to an address.', { url: text('The whole address') }),
  action('click_at', 'Clicks at a place.', point),
  action('hover_at', 'Moves the pointer to a place.', point),
  action(
    'type_text_at',
    'Clicks at a place, empties the field there, types a text and presses Enter.',
    {
      ...point,
      text: text('What to type'),
      press_enter: { type: 'boolean', description: 'Whether Enter is pressed afterwards; by default it is' },
      clear_before_typing: { type: 'boolean', description: 'Whether the field is emptied first; by default it is' },
    },
    ['press_enter', 'clear_before_typing'],
  ),
  action('key_combination', 'Presses keys together.', { keys: text('Names joined by +, as in Control+C') }),
  action('scroll_document', 'Scrolls the page.', { direction }),
  action('scroll_at', 'Scrolls what lies at a place.', { ...point, direction, magnitude: coordinate('How far') }, [
    'magnitude',
  ]),
  action('drag_and_drop', 'Drags what lies at a place to another one.', {
    ...point,
    destination_x: coordinate('Horizontal destination'),
    destination_y: coordinate('Vertical destination'),
  }),
];

/**
 * Proposes what to do in a browser and does nothing itself: each action comes back as a function call that the interaction
 * waits for, which the client carries out, or refuses, and responds with a `function_result`. Uses nothing that costs.
 */
export const computerUse = (): ToolRunner<'computer_use'> => ({
  tool: 'computer_use',
  isRepeatable: true,
  callUsageMax: [],
  declare: async () => browserActions,
});
