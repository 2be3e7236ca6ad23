function text = optionText(value)
% A number, a logical or a text as the command line writes it; sizes as 64x64.
  if ischar(value)
    text = value;
  elseif islogical(value)
    names = {'false', 'true'};
    text = names{1 + value};
  elseif isnumeric(value)
    text = strjoin(arrayfun(@(v) sprintf('%.17g', v), double(value(:)'), 'UniformOutput', false), 'x');
  else
    text = char(value);
  end
end
