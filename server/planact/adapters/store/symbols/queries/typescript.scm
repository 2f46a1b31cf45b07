[(class_declaration name: (_) @type) (abstract_class_declaration name: (_) @type)
 (interface_declaration name: (_) @type) (enum_declaration name: (_) @type) (type_alias_declaration name: (_) @type)]
[(internal_module name: (identifier) @module) (module name: (identifier) @module)]
[(function_declaration name: (_) @function) (generator_function_declaration name: (_) @function)
 (function_signature name: (_) @function)]
[(method_definition name: [(property_identifier) (private_property_identifier)] @function)
 (method_signature name: (property_identifier) @function) (abstract_method_signature name: (property_identifier) @function)]
(variable_declarator name: (identifier) @function value: [(arrow_function) (function_expression) (generator_function)])
(pair key: (property_identifier) @function value: [(arrow_function) (function_expression)])
[(public_field_definition name: [(property_identifier) (private_property_identifier)] @variable)
 (property_signature name: (property_identifier) @variable)]
(enum_body [(property_identifier) @variable (enum_assignment name: (property_identifier) @variable)])
(program [(lexical_declaration (variable_declarator name: (identifier) @variable))
          (variable_declaration (variable_declarator name: (identifier) @variable))])
(export_statement (_ (variable_declarator name: (identifier) @variable)))
[(identifier) (property_identifier) (private_property_identifier) (shorthand_property_identifier)
 (shorthand_property_identifier_pattern) (type_identifier)] @reference
