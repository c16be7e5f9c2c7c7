export { choiceValues, defaultChoices, type ChoiceName, type Choices } from './choices.ts';
export { CreateError, isCreateError } from './create-error.ts';
export { createProject, type ProjectOptions } from './create-project.ts';
