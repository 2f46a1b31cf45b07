[(class_declaration name: (_) @type) (interface_declaration name: (_) @type) (enum_declaration name: (_) @type)
 (record_declaration name: (_) @type) (annotation_type_declaration name: (_) @type)]
[(method_declaration name: (_) @function) (constructor_declaration name: (_) @function)
 (annotation_type_element_declaration name: (_) @function)]
[(field_declaration declarator: (variable_declarator name: (identifier) @variable))
 (constant_declaration declarator: (variable_declarator name: (identifier) @variable))
 (enum_constant name: (_) @variable)]
[(identifier) (type_identifier)] @reference
