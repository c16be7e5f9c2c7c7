// The OpenAPI documents as a page to read: routes that open, and schemas that open field by field. It asks the site alone.
import { computed, defineComponent, h, onMounted, ref, shallowRef, watch, type PropType, type VNode } from 'vue';
import { typeOf } from '../../../scripts/reference/field-tables.ts';
import {
  asRecord,
  recordAt,
  recordsIn,
  textIn,
  textsIn,
  type JsonObject,
} from '../../../scripts/reference/json-object.ts';

/** The documents that a reader can choose, by the files of the site. */
const documents = [
  { name: 'The gateway', file: '/openapi.json' },
  { name: 'The administration', file: '/admin-openapi.json' },
] as const;

const jsonProp = { type: Object as PropType<JsonObject>, required: true } as const;

const resolved = (node: JsonObject, document: JsonObject): JsonObject => {
  const name = textIn(node, '$ref')?.split('/').at(-1);
  return name === undefined ? node : recordAt(document, 'components', 'schemas', name);
};

/** The objects that a value can be: itself, the items of a list, or each of its forms. */
const objectsOf = (node: JsonObject, document: JsonObject): readonly JsonObject[] => {
  const schema = resolved(node, document);
  const forms = [...recordsIn(schema, 'anyOf'), ...recordsIn(schema, 'oneOf'), ...recordsIn(schema, 'allOf')];
  if (forms.length > 0) return forms.flatMap((form) => objectsOf(form, document));
  if (schema['type'] === 'array') return objectsOf(asRecord(schema['items']), document);
  return Object.keys(asRecord(schema['properties'])).length > 0 ? [schema] : [];
};

const typeName = (node: JsonObject): string => typeOf(node, (name) => name).replaceAll('`', '');

/** A title that shows what `content` makes once it is open. */
const Opening = defineComponent({
  setup: (_, { slots }) => {
    const isOpen = ref(false);
    const toggled = (event: Event): void => {
      isOpen.value = asRecord(event.target)['open'] === true;
    };
    return () =>
      h('details', { onToggle: toggled }, [h('summary', slots['title']?.()), isOpen.value ? slots['content']?.() : []]);
  },
});

const opening = (title: readonly (VNode | string)[], content: () => readonly VNode[]): VNode =>
  h(Opening, null, { title: () => title, content });

const fieldsOf = (schema: JsonObject, document: JsonObject): readonly VNode[] =>
  Object.entries(asRecord(schema['properties'])).map(([name, value]) => {
    const node = asRecord(value);
    const title = [
      h('code', name),
      h('span', { class: 'openapi-type' }, typeName(node)),
      ...(textsIn(schema, 'required').includes(name) ? [h('strong', 'required')] : []),
      h('span', textIn(node, 'description') ?? ''),
    ];
    const inner = objectsOf(node, document);
    return inner.length === 0
      ? h('div', { class: 'openapi-field' }, title)
      : opening(title, () => formsOf(inner, document));
  });

const formsOf = (objects: readonly JsonObject[], document: JsonObject): readonly VNode[] =>
  objects.map((object, place) =>
    h('div', { class: 'openapi-form' }, [
      ...(objects.length > 1 ? [h('em', `Form ${place + 1} of ${objects.length}`)] : []),
      ...fieldsOf(object, document),
    ]),
  );

/** The schemas of a body by its content types. */
const contentOf = (holder: JsonObject, document: JsonObject): readonly VNode[] =>
  Object.entries(asRecord(holder['content'])).map(([type, value]) => {
    const schema = recordAt(asRecord(value), 'schema');
    const title = [h('code', type), h('span', { class: 'openapi-type' }, typeName(schema))];
    const objects = objectsOf(schema, document);
    return objects.length === 0
      ? h('div', { class: 'openapi-field' }, title)
      : opening(title, () => formsOf(objects, document));
  });

const parametersOf = (operation: JsonObject): readonly VNode[] =>
  recordsIn(operation, 'parameters').map((parameter) =>
    h('div', { class: 'openapi-field' }, [
      h('code', textIn(parameter, 'name')),
      h('span', { class: 'openapi-type' }, `${textIn(parameter, 'in')}, ${typeName(recordAt(parameter, 'schema'))}`),
      ...(parameter['required'] === true ? [h('strong', 'required')] : []),
      h('span', textIn(parameter, 'description') ?? ''),
    ]),
  );

const titled = (title: string, nodes: readonly VNode[]): readonly VNode[] =>
  nodes.length === 0 ? [] : [h('p', { class: 'openapi-part' }, title), ...nodes];

const detailsOf = (operation: JsonObject, document: JsonObject): readonly VNode[] => [
  ...titled('Parameters', parametersOf(operation)),
  ...titled('Body', contentOf(asRecord(operation['requestBody']), document)),
  ...titled(
    'Responses',
    Object.entries(asRecord(operation['responses'])).map(([status, value]) => {
      const response = asRecord(value);
      const title = [h('code', status), h('span', textIn(response, 'description') ?? '')];
      return opening(title, () => contentOf(response, document));
    }),
  ),
];

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly node: JsonObject;
}

const operationsOf = (document: JsonObject): readonly Operation[] =>
  Object.entries(asRecord(document['paths'])).flatMap(([path, item]) =>
    Object.entries(asRecord(item)).map(([method, node]) => ({
      method: method.toUpperCase(),
      path,
      node: asRecord(node),
    })),
  );

const matches = ({ method, path, node }: Operation, words: string): boolean =>
  `${method} ${path} ${textIn(node, 'summary')} ${textIn(node, 'operationId')}`
    .toLowerCase()
    .includes(words.toLowerCase());

const OperationList = defineComponent({
  props: { document: jsonProp },
  setup: (props) => {
    const words = ref('');
    const found = computed(() => operationsOf(props.document).filter((operation) => matches(operation, words.value)));
    const typed = (event: Event): void => {
      words.value = textIn(asRecord(event.target), 'value') ?? '';
    };
    return () => [
      h('input', { type: 'search', placeholder: 'Find a route', 'aria-label': 'Find a route', onInput: typed }),
      h('p', `${found.value.length} routes`),
      ...found.value.map(({ method, path, node }) =>
        h(
          Opening,
          { key: `${method} ${path}`, class: 'openapi-route' },
          {
            title: () => [h('b', method), h('code', path), h('span', textIn(node, 'summary'))],
            content: () => detailsOf(node, props.document),
          },
        ),
      ),
    ];
  },
});

/** Reads one of the documents, and shows its routes. */
export const OpenApiBrowser = defineComponent({
  setup: () => {
    const file = ref<string>(documents[0].file);
    const document = shallowRef<JsonObject | null>(null);
    const read = async (): Promise<void> => {
      document.value = null;
      const asked = file.value;
      const parsed: unknown = await (await fetch(asked)).json();
      if (asked === file.value) document.value = asRecord(parsed);
    };
    onMounted(read);
    watch(file, read);
    const choice = (event: Event): void => {
      file.value = textIn(asRecord(event.target), 'value') ?? documents[0].file;
    };
    return () =>
      h('div', { class: 'openapi' }, [
        h(
          'select',
          { 'aria-label': 'Document', onChange: choice },
          documents.map((one) => h('option', { value: one.file }, one.name)),
        ),
        document.value === null
          ? h('p', 'The document is being read.')
          : h(OperationList, { document: document.value }),
      ]);
  },
});
