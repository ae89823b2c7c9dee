import js from '@eslint/js';
import globals from 'globals';

export default [
  { ignores: ['**/vendor/**', '**/node_modules/**'] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2024, sourceType: 'module', globals: { ...globals.browser } },
    rules: { eqeqeq: 'error', 'no-var': 'error', 'prefer-const': 'error', 'no-shadow': 'off', 'no-unused-vars': ['error', { argsIgnorePattern: '^_' }] },
  },
];
