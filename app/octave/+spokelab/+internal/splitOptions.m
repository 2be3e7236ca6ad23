function [own, rest] = splitOptions(names, pairs)
% Pairs of these names as a struct, the others as texts {name, value, ...} for the library.
  if mod(numel(pairs), 2)
    error('spokelab:badArgument', 'options are pairs of a name and a value');
  end
  own = struct();
  rest = {};
  for i = 1:2:numel(pairs)
    name = char(pairs{i});
    if any(strcmp(name, names))
      own.(name) = pairs{i + 1};
    else
      rest = [rest, {name, spokelab.internal.optionText(pairs{i + 1})}];
    end
  end
end
